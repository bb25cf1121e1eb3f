"""Keys that sign apps: read from a file of the user's, or made once and kept."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...errors import AzxError

RSA_SHA256, ECDSA_SHA256 = 0x0103, 0x0201
BITS, LEAST_BITS = 3072, 2048
# Google Play wants a key that lasts beyond 2033.
YEARS = 30


@dataclass(frozen=True)
class Key:
    """A private key with its certificate and public key (DER), and Android's number of its algorithm."""

    private: Any = field(repr=False)
    certificate: bytes
    public: bytes
    algorithm: int

    def sign(self, data: bytes) -> bytes:
        """The signature of these bytes; equal bytes get equal signatures."""
        from cryptography.hazmat.primitives.asymmetric import ec, padding
        from cryptography.hazmat.primitives.hashes import SHA256

        if self.algorithm == RSA_SHA256:
            return bytes(self.private.sign(data, padding.PKCS1v15(), SHA256()))
        return bytes(self.private.sign(data, ec.ECDSA(SHA256(), deterministic_signing=True)))


def make_key(path: Path, name: str) -> Key:
    """A new key with a certificate for `name`, written to `path` for its owner alone; AzxError if that fails."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name[:60])])
    begins = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=365 * YEARS))
        .sign(private, hashes.SHA256())
    )
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + certificate.public_bytes(serialization.Encoding.PEM)
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        # Never overwrite a key that another process has written meanwhile.
        os.link(part, path) if hasattr(os, "link") else part.rename(path)
    except OSError as error:
        raise AzxError(
            f"'{path}' cannot be written ({error.strerror or error}): free the disk, or name a key with --key."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return _key(private, certificate, path)


def read_key(path: Path, password: str | None = None) -> Key:
    """The key in a file: PEM with key and certificate, or PKCS #12 (.p12, .pfx, recent .jks and .keystore).

    AzxError if the file cannot be read, the password is wrong, or the key cannot sign an app.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, pkcs12

    secret = None if password is None else password.encode()
    try:
        data = path.read_bytes()
        if b"-----BEGIN" in data:
            private: Any = load_pem_private_key(data, secret)
            certificate: x509.Certificate | None = x509.load_pem_x509_certificate(data)
        else:
            private, certificate, _ = pkcs12.load_key_and_certificates(data, secret)
    except OSError as error:
        raise AzxError(f"'{path}' cannot be read ({error.strerror or error}): name a key's file with --key.") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise AzxError(
            f"'{path}' cannot be read as a key with its certificate, or its password is wrong: give PEM or PKCS #12, "
            "and the password in AZX_KEY_PASSWORD."
        ) from error
    if private is None or certificate is None:
        raise AzxError(f"'{path}' lacks a key or its certificate: give a file that has both.")
    return _key(private, certificate, path)


def _key(private: Any, certificate: Any, path: Path) -> Key:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    if isinstance(private, rsa.RSAPrivateKey) and private.key_size >= LEAST_BITS:
        algorithm = RSA_SHA256
    elif isinstance(private, ec.EllipticCurvePrivateKey):
        algorithm = ECDSA_SHA256
    else:
        raise AzxError(f"'{path}' has a key that signs no app: give RSA of {LEAST_BITS} bits or more, or ECDSA.")
    public = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) != public:
        raise AzxError(f"'{path}' has a certificate of another key: give a key with its own certificate.")
    return Key(private, certificate.public_bytes(Encoding.DER), public, algorithm)
