/** API responses that several sections use; docs/api.md describes every field. */
export interface User {
  readonly name: string;
  readonly admin: boolean;
  readonly disabled: boolean;
  readonly created: number;
  readonly email: string;
  readonly displayName: string;
  readonly language: string;
}

export type LimitName = "runningJobs" | "unfinishedJobs" | "unfinishedTasks" | "unfinishedFilesMB" | "cpus" | "memoryMB" | "devices";
export type Limits = { readonly [L in LimitName]?: number };

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly externalName: string;
  readonly admin: boolean;
  readonly virtualClusters: readonly string[];
  readonly storages: readonly string[];
  readonly limits: Limits;
  /** Whether members see each other's jobs. */
  readonly sharesJobs: boolean;
}

export interface Storage {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly default: boolean;
}
