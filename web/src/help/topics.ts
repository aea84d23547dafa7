import type { Language } from "../i18n/language";
import type { helpTexts } from "./texts";

export type Topic = keyof typeof helpTexts.en.topics;
type Load = () => Promise<{ default: string }>;

/** All topics in both languages; each page is loaded on demand. */
export const topics: Record<Topic, Record<Language, Load>> = {
  start: { en: () => import("./pages/start.en.md"), zh: () => import("./pages/start.zh.md") },
  "job-file": { en: () => import("./pages/job-file.en.md"), zh: () => import("./pages/job-file.zh.md") },
  images: { en: () => import("./pages/images.en.md"), zh: () => import("./pages/images.zh.md") },
  data: { en: () => import("./pages/data.en.md"), zh: () => import("./pages/data.zh.md") },
  environment: { en: () => import("./pages/environment.en.md"), zh: () => import("./pages/environment.zh.md") },
};

export function isTopic(name: string | undefined): name is Topic {
  return name !== undefined && Object.hasOwn(topics, name);
}
