import { Tooltip } from "antd";
import { Link } from "wouter";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { clusterTexts } from "./texts";
import type { Device } from "./types";

type State = "free" | "mine" | "others" | "cordoned";

/** One device; color, border and label show who uses it. */
export function DeviceCell({ device, cordoned }: { device: Device; cordoned: boolean }) {
  const t = useTexts(clusterTexts);
  const formats = useFormats();
  const { user } = useMe();
  const { job, kind, index, model, memoryMB } = device;
  const state = stateOf(job, user, cordoned);
  const [owner, name] = job && job !== "*" ? split(job) : [null, null];
  const about = [model, memoryMB > 0 ? formats.memory(memoryMB) : null, job === "*" ? t.anotherUser : job]
    .filter(Boolean)
    .join(" · ");
  return (
    <Tooltip title={about}>
      <li className={`cell ${state}`} aria-label={`${t.device(kind.toUpperCase(), index, t.states[state])} ${about}`}>
        <b>
          {kind.toUpperCase()} {index}
        </b>
        {owner !== null && name !== null ? (
          <Link href={`/jobs/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`}>{state === "mine" ? name : job}</Link>
        ) : (
          <span>{job === "*" ? t.anotherUser : t.states[state]}</span>
        )}
      </li>
    </Tooltip>
  );
}

function stateOf(job: string | null, user: string, cordoned: boolean): State {
  if (job === null) {
    return cordoned ? "cordoned" : "free";
  }
  return job.startsWith(`${user}~`) ? "mine" : "others";
}

/** Splits `user~job` at the first `~` because job names may contain `~` and user names may not. */
function split(job: string): [string, string] {
  const at = job.indexOf("~");
  return [job.slice(0, at), job.slice(at + 1)];
}
