export interface Sums {
  readonly user?: string;
  readonly virtualCluster?: string;
  readonly jobs: number;
  readonly cpuHours: number;
  readonly deviceHours: number;
  readonly devices: Readonly<Record<string, number>>;
}

export interface UsageAnswer {
  readonly since: number;
  readonly until: number;
  readonly rows: readonly (Sums & { readonly day: string })[];
  readonly totals: readonly Sums[];
}

export type Measure = "deviceHours" | "cpuHours" | "jobs";

export function whoOf(sums: Sums): string {
  return sums.user ?? sums.virtualCluster ?? "";
}
