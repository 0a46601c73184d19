"""What parsers raise that meet a broken file."""

import struct
import zlib
from lzma import LZMAError

# What the parsers let through when a file is broken in a way they did not foresee.
BROKEN = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    OSError,
    EOFError,
    LZMAError,
    struct.error,
    zlib.error,
)
