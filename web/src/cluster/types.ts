/** API responses about nodes; docs/api.md describes every field. */
export type Isolation = "NONE" | "SHARED" | "PRIVATE";

export interface Device {
  readonly vendor: string;
  readonly kind: string;
  readonly index: number;
  readonly model: string;
  readonly memoryMB: number;
  /** `user~name`, `*` if the user may not see the job, null if the device is free. */
  readonly job: string | null;
}

export interface Cordon {
  readonly user: string;
  readonly reason: string;
  readonly since: number;
}

export interface ClusterNode {
  readonly name: string;
  readonly engine?: string;
  readonly architecture?: string | null;
  readonly cordon?: Cordon | null;
  readonly tasks?: number;
  readonly cpus: number;
  readonly memoryMB: number;
  readonly freeCpus: number;
  readonly freeMemoryMB: number;
  readonly devices: readonly Device[];
  readonly isolation: Readonly<Record<"files" | "processes" | "network" | "limits" | "systemCalls", Isolation>>;
}

export interface Amounts {
  readonly cpus?: number;
  readonly memoryMB?: number;
  readonly devices?: number;
  readonly deviceTypes?: Readonly<Record<string, number>>;
}

export interface VirtualCluster {
  readonly name: string;
  readonly description: string;
  readonly quota: Amounts;
  readonly used: Required<Amounts> & { readonly runningJobs: number };
  readonly total: Required<Amounts>;
  readonly groups: readonly string[];
}
