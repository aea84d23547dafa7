/** Dates and times in the format of native date fields, in the time zone of the viewer. */
const two = (value: number) => String(value).padStart(2, "0");

export function localDay(millis: number): string {
  const date = new Date(millis);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function localDateTime(millis: number): string {
  const date = new Date(millis);
  return `${localDay(millis)}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Parses a date or a local time; a date means the start of the day in the local time zone, not in UTC. */
export function millisOf(text: string): number {
  return new Date(text.includes("T") ? text : `${text}T00:00`).getTime();
}

/** Returns the end of a day; days of daylight-saving changes are shorter or longer than 24 hours. */
export function endOfDay(day: string): number {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date.getTime();
}

/** Returns the day in a query parameter, or an empty string if it is not a valid day. */
export function dayOf(text: string | null): string {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(millisOf(text)) ? text : "";
}
