/** Rule for a command in which a line fails: the command ends, or it continues and the last exit code determines the result. */
export type FailureRule = "stop" | "continue";

/** Lines that set the rule in every bash, also on OpenPAI. */
const LINES: Readonly<Record<FailureRule, string>> = {
  stop: "set -o errexit -o nounset -o pipefail",
  continue: "set +o errexit +o nounset +o pipefail",
};

/** Returns the rule that applies to a command: the rule in its first line, or else the default rule of the format. */
export function ruleOf(command: string, defaultRule: FailureRule): FailureRule {
  const first = firstLine(command);
  return first === LINES.stop ? "stop" : first === LINES.continue ? "continue" : defaultRule;
}

/** Returns the command with the given rule. A line is added only if the rule differs from the default rule of the format. */
export function withRule(command: string, rule: FailureRule, defaultRule: FailureRule): string {
  const first = firstLine(command);
  const isRule = first === LINES.stop || first === LINES.continue;
  const rest = isRule ? command.slice(first.length).replace(/^\r?\n/, "") : command;
  return rule === defaultRule ? rest : `${LINES[rule]}\n${rest}`;
}

function firstLine(command: string): string {
  return /^[^\r\n]*/.exec(command)![0];
}
