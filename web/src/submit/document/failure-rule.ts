/** What happens after a failed line of a command: it ends, or it continues and its last exit code decides. */
export type FailureRule = "stop" | "continue";

/** Lines that set the rule in every bash, also on OpenPAI. */
const LINES: Readonly<Record<FailureRule, string>> = {
  stop: "set -o errexit -o nounset -o pipefail",
  continue: "set +o errexit +o nounset +o pipefail",
};

/** Returns the rule that applies to a command: that of its first line, else that of the format. */
export function ruleOf(command: string, usual: FailureRule): FailureRule {
  const first = firstLine(command);
  return first === LINES.stop ? "stop" : first === LINES.continue ? "continue" : usual;
}

/** Returns the command with a rule; a line for it is only added if the format has the other rule. */
export function withRule(command: string, rule: FailureRule, usual: FailureRule): string {
  const first = firstLine(command);
  const isRule = first === LINES.stop || first === LINES.continue;
  const rest = isRule ? command.slice(first.length).replace(/^\r?\n/, "") : command;
  return rule === usual ? rest : `${LINES[rule]}\n${rest}`;
}

function firstLine(command: string): string {
  return /^[^\r\n]*/.exec(command)![0];
}
