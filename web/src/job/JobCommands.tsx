import { Typography } from "antd";
import { useMemo } from "react";
import { open } from "../submit/document/job-document";
import { shapeOf } from "../submit/document/shape";
import { useTexts } from "../i18n/language";
import { jobTexts } from "./texts";
import { useConfig } from "./use-job";

const MOST_ROLES = 20;

/** The commands of a job, by role. */
export default function JobCommands({ id }: { id: string }) {
  const t = useTexts(jobTexts);
  const { data: text } = useConfig(id);
  const commands = useMemo(() => commandsOf(text ?? ""), [text]);
  return commands.slice(0, MOST_ROLES).map(({ role, command }) => (
    <div key={role}>
      {commands.length > 1 && <div className="step-words">{role}</div>}
      <div className="job-command">
        <pre tabIndex={0} aria-label={t.commandOf(role)}>
          {command}
        </pre>
        <Typography.Text copyable={{ text: command }} />
      </div>
    </div>
  ));
}

function commandsOf(text: string): readonly { readonly role: string; readonly command: string }[] {
  const opened = open(text);
  if (!("document" in opened)) {
    return [];
  }
  const { root } = opened.document;
  return shapeOf(root)
    .roles(root)
    .map((role) => ({ role: role.name, command: role.readCommand(root) }));
}
