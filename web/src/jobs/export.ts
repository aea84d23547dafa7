import { api } from "../api/client";
import type { JobLine } from "../api/types";
import type { JobList } from "./list";

const AT_ONCE = 500;
const fields = [
  "user",
  "name",
  "state",
  "virtualCluster",
  "submitted",
  "started",
  "ended",
  "exitCode",
  "cpus",
  "memoryMB",
  "devices",
  "taskCount",
  "retries",
  "image",
  "reason",
  "tags",
  "id",
] as const;

/** All jobs that fit, as a file; `told` hears how many there are already. */
export async function exportCsv(query: Record<string, string>, told: (done: number) => void): Promise<void> {
  const lines = [fields.join(",")];
  for (let offset = 0; ; offset += AT_ONCE) {
    const { jobs } = await api.get<Pick<JobList, "jobs">>("/jobs", { query: { ...query, offset, limit: AT_ONCE } });
    lines.push(...jobs.map(line));
    told(lines.length - 1);
    if (jobs.length < AT_ONCE) {
      break;
    }
  }
  save("jobs.csv", "\ufeff" + lines.join("\r\n") + "\r\n");
}

function line(job: JobLine): string {
  return fields.map((field) => cell(value(job, field))).join(",");
}

function value(job: JobLine, field: (typeof fields)[number]): string {
  const given = job[field];
  if (given === null || given === undefined) {
    return "";
  }
  if (field === "submitted" || field === "started" || field === "ended") {
    return new Date(given as number).toISOString();
  }
  return Array.isArray(given) ? given.join(" ") : String(given);
}

/** A spreadsheet must not take a name for a formula. */
function cell(text: string): string {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

function save(name: string, content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
