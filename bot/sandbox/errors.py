"""What Discord answers when it refuses.

Promises: the JSON error codes and messages of Discord's reference ("Opcodes and Status Codes"). Leaves the decision
to refuse to `limits*` and `rest*`.
"""

from __future__ import annotations

from bot.sandbox.model import JsonObject


class ApiError(Exception):
    """A refusal: HTTP `status`, Discord's `code` and `message`, and for 50035 the tree of `errors`."""

    def __init__(self, status: int, code: int, message: str, errors: JsonObject | None = None) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> JsonObject:
        """The JSON body of the answer."""
        data: JsonObject = {"message": self.message, "code": self.code}
        if self.errors is not None:
            data["errors"] = self.errors
        return data


KNOWN: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10002: (404, "Unknown Application"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20012: (403, "You are not authorized to perform this action on this application"),
    30032: (400, "Maximum number of application commands reached (100)"),
    30034: (429, "Max number of daily application command creates has been reached (200)"),
    40001: (401, "Unauthorized"),
    40003: (403, "You are opening direct messages too fast."),
    40005: (413, "Request entity too large"),
    40094: (400, "This interaction has hit the maximum number of follow up messages"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50003: (403, "Cannot execute action on a DM channel"),
    50024: (400, "Cannot execute action on this channel type"),
    50025: (401, "Invalid OAuth2 access token"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user"),
    160004: (400, "A thread has already been created for this message"),
    160005: (400, "Thread is locked"),
}


def refusal(code: int) -> ApiError:
    """The error of a code in `KNOWN`."""
    status, message = KNOWN[code]
    return ApiError(status, code, message)


def not_found() -> ApiError:
    """An address that doesn't exist."""
    return ApiError(404, 0, "404: Not Found")
