#include <openssl/sha.h>
#include <zlib.h>
