"""The machine in its network: its address, its names, and an address as a QR code."""

from __future__ import annotations

import io
import socket
from ipaddress import AddressValueError, IPv4Address

from ..errors import AzxError

# The address of no machine (RFC 5737). A UDP socket connected to it has a route but sends nothing.
ELSEWHERE = ("192.0.2.1", 9)
NOWHERE = str(IPv4Address(0))


def lan_address(named: str | None = None) -> str:
    """The IPv4 address to serve on: the named one, else the one by which this machine reaches others.

    AzxError if this machine has no such address, or the named address does not belong to a single machine. Also if the
    whole internet could reach the address found.
    """
    if named is not None:
        return _single(named)
    address = IPv4Address(_source())
    if address.is_loopback or address.is_unspecified:
        raise AzxError("This machine is in no network: connect it to one, or name one of its addresses with --address.")
    if address.is_global:
        raise AzxError(
            f"This machine's address is {address}, which the whole internet may reach: name the one to serve on with "
            "--address."
        )
    return str(address)


def local_names() -> frozenset[str]:
    """The names, beside its address, by which browsers may reach this machine; no other machine can own them."""
    host = socket.gethostname().partition(".")[0].lower()
    return frozenset({"localhost", host, f"{host}.local"} if host else {"localhost"})


def qr_code(text: str) -> str:
    """A text as a QR code of half blocks, light on dark, with the margin for cameras."""
    import segno

    code = io.StringIO()
    segno.make(text, micro=False).terminal(code, border=4, compact=True)
    return code.getvalue()


def _source() -> str:
    """The source address of a packet to another machine; 0.0.0.0 if there is no route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return NOWHERE
        return str(probe.getsockname()[0])


def _single(named: str) -> str:
    try:
        address = IPv4Address(named)
    except AddressValueError as error:
        raise AzxError(f"'{named}' is no IPv4 address: give one of this machine, such as 192.168.1.20.") from error
    if address.is_unspecified or address.is_multicast or address == IPv4Address("255.255.255.255"):
        raise AzxError(f"{address} is not the address of one machine: give one of this machine's, or leave it out.")
    return str(address)
