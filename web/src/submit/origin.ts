import { api, path } from "../api/client";
import { check } from "./check";
import { capacityOf, fitted } from "./fit";
import { changed, open, written } from "./document/job-document";
import { shapeOf, textAt } from "./document/shape";
import { newJob } from "./document/v1";
import { inCluster } from "./document/virtual-cluster";
import { templateText } from "./templates/templates";

/** The origin of a form's initial content: an existing job, a template, an image, or none. */
export interface Origin {
  readonly clone: string | null;
  readonly template: string | null;
  readonly image: string | null;
  /** Whether to reduce the requests of the cloned job to what fits this cluster. */
  readonly fit: boolean;
}

export async function initialText(origin: Origin): Promise<string> {
  if (origin.clone) {
    const [answer, job, clusters] = await Promise.all([
      api.raw("GET", path`/jobs/${origin.clone}/config`, undefined, { headers: { Accept: "text/plain" } }),
      api.get<"showJob">(path`/jobs/${origin.clone}`),
      api.get<"listVirtualClusters">("/virtual-clusters"),
    ]);
    const names = clusters.virtualClusters.map(({ name }) => name);
    // Derived from the name of the job, which differs from the name in the file if a suffix was added.
    const text = inCluster(renamed(await answer.text(), () => nextName(job.name)), job.virtualCluster, names);
    return origin.fit ? fittedHere(text) : text;
  }
  if (origin.template) {
    return renamed(await templateText(origin.template), (name) => `${name}-${stamp()}`);
  }
  return written(newJob(`job-${stamp()}`, origin.image ?? (await unusedImage())), "json");
}

async function fittedHere(text: string): Promise<string> {
  const capacity = capacityOf(await check(text));
  return capacity ? fitted(text, capacity) : text;
}

/** Returns any valid image if the engine does not use images, because a job file must name an image; empty for other engines. */
async function unusedImage(): Promise<string> {
  const { engine } = await api.get<"listNodes">("/nodes");
  return engine === "process" ? ANY_IMAGE : "";
}

const ANY_IMAGE = "ubuntu:24.04";


export function renamed(text: string, rename: (name: string) => string): string {
  const opened = open(text);
  if (!("document" in opened)) {
    return text;
  }
  const { name } = shapeOf(opened.document.root);
  const old = textAt(opened.document.root, name);
  return old ? changed(text, (document) => document.set(name, rename(old))) : text;
}

/** Returns the next name in the sequence `hello`, `hello-2`, `hello-3`. */
function nextName(name: string): string {
  const [, stem = name, number] = /^(.*?)-(\d{1,4})$/.exec(name) ?? [];
  return number ? `${stem}-${Number(number) + 1}` : `${name}-2`;
}

/** Returns month, day and time, which makes a name unique in practice. */
function stamp(): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const now = new Date();
  return `${two(now.getMonth() + 1)}${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
