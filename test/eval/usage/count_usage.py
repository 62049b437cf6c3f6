"""Counts tokens in transcripts, from the agents' formats alone: shares no code with smart-fork.

count_usage.py CLAUDE_HOME CODEX_HOME prints {"<agent> <model>": [requests, input, output, cache read, cache write]}.
"""

import collections
import json
import pathlib
import sys


def lines(home):
    for path in sorted(pathlib.Path(home).rglob("*.jsonl")):
        with open(path, encoding="utf-8", errors="replace") as file:
            for text in file:
                try:
                    line = json.loads(text)
                except ValueError:
                    continue
                if isinstance(line, dict):
                    yield path, line


def claude(home):
    """The last line of a message has its final usage; a message counts once over all files. Progress quotes those of subagents."""
    messages = {}
    for _, line in lines(pathlib.Path(home, "projects")):
        if line.get("type") == "progress":
            line = (line.get("data") or {}).get("message") or {}
        message = line.get("message")
        if line.get("type") == "assistant" and isinstance(message, dict) and message.get("usage"):
            messages[message["id"]] = (message["model"], message["usage"])
    for model, usage in messages.values():
        counts = [
            usage.get("input_tokens") or 0,
            usage.get("output_tokens") or 0,
            usage.get("cache_read_input_tokens") or 0,
            usage.get("cache_creation_input_tokens") or 0,
        ]
        if any(counts):
            yield "claude " + model, counts


def codex(home):
    """Sums by turn what the totals grew by. Input includes what was cached."""
    before, model = collections.defaultdict(lambda: (0, 0, 0)), {}
    for path, line in lines(pathlib.Path(home, "sessions")):
        payload = line.get("payload") or {}
        if line.get("type") == "turn_context":
            model[path] = payload["model"]
        if payload.get("type") != "token_count" or not payload.get("info"):
            continue
        total = payload["info"]["total_token_usage"]
        now = (total["input_tokens"], total["cached_input_tokens"], total["output_tokens"])
        if now == before[path]:
            continue
        whole, cached, output = (a - b for a, b in zip(now, before[path]))
        before[path] = now
        yield "codex " + model[path], [whole - cached, output, cached, 0]


def main(claude_home, codex_home):
    sums = collections.defaultdict(lambda: [0] * 5)
    for counted in (claude(claude_home), codex(codex_home)):
        for name, counts in counted:
            sums[name] = [a + b for a, b in zip(sums[name], [1, *counts])]
    print(json.dumps(sums, sort_keys=True))


main(*sys.argv[1:])
