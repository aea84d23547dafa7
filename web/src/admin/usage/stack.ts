import { localDay } from "../../components/dates";
import { whoOf, type Measure, type UsageAnswer } from "./types";

export interface Part {
  /** Null for the group of all users that have no color of their own. */
  readonly name: string | null;
  readonly colour: number;
  readonly from: number;
  readonly value: number;
}

export interface Stack {
  readonly day: string;
  readonly parts: readonly Part[];
}

/** Returns consecutive days, each with its stacked parts, the largest user at the bottom. */
export function stack(usage: UsageAnswer, measure: Measure, mostNames: number) {
  const ranked = [...usage.totals].filter((one) => one[measure] > 0).sort((a, b) => b[measure] - a[measure]);
  const named = ranked.slice(0, mostNames).map(whoOf);
  const names: (string | null)[] = ranked.length > named.length ? [...named, null] : named;
  const sums = new Map<string, Map<string | null, number>>();
  for (const row of usage.rows) {
    const name = named.includes(whoOf(row)) ? whoOf(row) : null;
    const day = sums.get(row.day) ?? new Map<string | null, number>();
    day.set(name, (day.get(name) ?? 0) + row[measure]);
    sums.set(row.day, day);
  }
  let most = 0;
  const days = daysOf(usage).map((day): Stack => {
    let from = 0;
    const parts: Part[] = [];
    names.forEach((name, colour) => {
      const value = sums.get(day)?.get(name) ?? 0;
      if (value > 0) {
        parts.push({ name, colour, from, value });
        from += value;
      }
    });
    most = Math.max(most, from);
    return { day, parts };
  });
  return { days, names, most: most || 1 };
}

/** Returns all days of the range in the viewer's time zone, which is also the time zone of the query. */
function daysOf({ since, until }: UsageAnswer): readonly string[] {
  const days: string[] = [];
  for (const day = new Date(since); ; day.setDate(day.getDate() + 1)) {
    day.setHours(0, 0, 0, 0);
    if (day.getTime() >= until) {
      return days;
    }
    days.push(localDay(day.getTime()));
  }
}
