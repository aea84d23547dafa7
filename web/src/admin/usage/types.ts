import type { Responses, Usage } from "../../api/description";

export type { Usage as Sums } from "../../api/description";
export type UsageAnswer = Responses["showUsage"];

export type Measure = "deviceHours" | "cpuHours" | "jobs";

export function whoOf(sums: Usage): string {
  return sums.user ?? sums.virtualCluster ?? "";
}
