"""Object storage by its provider's protocol: `obstore` for objects, and what LanceDB needs to know.

Credentials come from the environment or from the provider's own chain. They are handed on to those
two and go nowhere else.
"""

import os
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from core.errors import StoreError

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_CONNECT = 5  # seconds; one who waits for a page is not to wait for three minutes
_REQUEST = 300  # of a large object, on a slow line
_RETRY = 20
_TRIES = 4
# Google takes one write a second of an object, and refuses others for that while.
_GOOGLE = {
    "max_retries": 8,
    "backoff": {
        "base": 2,
        "init_backoff": timedelta(seconds=0.2),
        "max_backoff": timedelta(seconds=1),
    },
}
_ENDPOINTS = {
    "s3": "AWS_ENDPOINT_URL",
    "gs": "GOOGLE_BASE_URL",
    "az": "AZURE_STORAGE_ENDPOINT",
}
_EMULATOR = "AZURE_STORAGE_USE_EMULATOR"
CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    "az": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
"""What to set in the environment, in words."""

# Who has these in the environment needs no look at profiles, which takes half a second.
_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SKIP_SIGNATURE")


def package(scheme: str) -> ModuleType:
    """Import `obstore`, which only an index in object storage needs.

    Raises
    ------
    StoreError : it is not installed.
    """
    try:
        import obstore
        import obstore.exceptions
        import obstore.store
    except ImportError as error:
        raise StoreError(
            f"An index at {scheme}:// needs a package that is not installed here: "
            "pip install -r requirements-storage.txt"
        ) from error
    return obstore


@cache
def store_of(scheme: str, bucket: str) -> "ObjectStore":
    """Open the bucket or container; no request is made.

    Raises
    ------
    StoreError : `package` raises it, or there are no credentials.
    """
    store = package(scheme).store
    options: dict[str, Any] = {
        "client_options": {
            "connect_timeout": timedelta(seconds=_CONNECT),
            "timeout": timedelta(seconds=_REQUEST),
            "allow_http": _plain(scheme),
        },
        "retry_config": {"max_retries": _TRIES, "retry_timeout": timedelta(seconds=_RETRY)},
    }
    match scheme:
        case "gs":
            options["retry_config"].update(_GOOGLE)
            opened = store.GCSStore(bucket, **options)
        case "az":
            opened = store.AzureStore(bucket, **options)
        case _:
            # S3 refuses to overwrite when an upload is completed, but not when an object is copied.
            options["copy_if_not_exists"] = "multipart"
            opened = store.S3Store(bucket, **options, **_from_profile())
    return opened  # type: ignore[no-any-return]


def lance_options(scheme: str) -> dict[str, str]:
    """Return the options LanceDB needs besides those in the environment."""
    return {
        "connect_timeout": f"{_CONNECT}s",
        "timeout": f"{_REQUEST}s",
        "client_max_retries": str(_TRIES),
        "client_retry_timeout": str(_RETRY),
        "allow_http": str(_plain(scheme)).lower(),
    }


def _plain(scheme: str) -> bool:
    """Check whether the environment names a server that is reached without TLS."""
    if scheme == "az" and os.environ.get(_EMULATOR, "").lower() in ("1", "true"):
        return True
    return os.environ.get(_ENDPOINTS[scheme], "").startswith("http://")


def _from_profile() -> Mapping[str, Any]:
    """Return credentials from AWS's chain: profiles, single sign-on, roles."""
    if any(os.environ.get(name) for name in _KEYS):
        return {}
    from obstore.auth.boto3 import Boto3CredentialProvider

    try:
        return {"credential_provider": Boto3CredentialProvider()}
    except Exception as error:  # botocore has a dozen; their texts may quote a profile
        raise StoreError(
            f"No credentials for s3:// found. Set {CREDENTIALS['s3']}, or run this on a "
            "machine with a role."
        ) from error
