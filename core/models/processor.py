"""Detect which number formats the processor computes fast."""


def has_matrix_units() -> bool:
    """Check whether the processor has matrix units for bfloat16 (AMX)."""
    import torch

    return bool(torch.cpu.get_capabilities().get("amx_bf16"))


def fastest_precision() -> str:
    """Return `bfloat16` if the processor has instructions for it, else `float32`."""
    import torch

    has = torch.cpu.get_capabilities()
    return "bfloat16" if has.get("avx512_bf16") or has.get("amx_bf16") else "float32"
