"""Tool-info module of Threadproof for BenchExec (https://github.com/sosy-lab/benchexec).

benchexec reads it by its full name: `tool="contrib.benchexec.threadproof_tool"`, started from the root of this
repository with it on PYTHONPATH; or as `benchexec.tools.threadproof` where it was copied there.
"""

from __future__ import annotations

import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("threadproof")

    def name(self):
        return "Threadproof"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="threadproof")

    def cmdline(self, executable, options, task, rlimits):
        model = task.options.get("data_model") if isinstance(task.options, dict) else None
        given = ["--data-model", model] if model in ("ILP32", "LP64") else []
        if task.property_file:
            given += ["--property", task.property_file]
        if rlimits.walltime and "--timeout" not in options:
            given += ["--timeout", str(rlimits.walltime)]
        return [executable, "verify", *options, *given, *task.input_files_or_identifier]

    def determine_result(self, run):
        """The first line is `PROPERTY: VERDICT`, with the reason behind a dash."""
        for line in run.output:
            found = re.match(r"(\S+): (true|false|unknown)(?: — (.*))?$", line.strip())
            if found is None:
                continue
            prop, verdict, reason = found[1], found[2], found[3] or ""
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict == "false":
                kinds = {"valid-free": "free", "valid-deref": "deref", "valid-memtrack": "memtrack"}
                violated = next((name for name in kinds if name in reason), None)
                shown = violated if prop == "valid-memsafety" and violated else prop
                return f"{result.RESULT_FALSE_PROP}({shown})"
            if reason in ("time", "memory"):
                return "TIMEOUT" if reason == "time" else "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({reason[:40]})" if reason else result.RESULT_UNKNOWN
        return result.RESULT_ERROR
