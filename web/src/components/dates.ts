/** Moments as the browser's own date fields write them, in the time of whoever looks. */
const two = (value: number) => String(value).padStart(2, "0");

export function localDay(millis: number): string {
  const date = new Date(millis);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function localMoment(millis: number): string {
  const date = new Date(millis);
  return `${localDay(millis)}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A day alone is its beginning here, not in Greenwich. */
export function millisOf(text: string): number {
  return new Date(text.includes("T") ? text : `${text}T00:00`).getTime();
}

/** When a day is over; days at which clocks are changed are shorter or longer than others. */
export function endOfDay(day: string): number {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date.getTime();
}

/** What an address says of a day, if it says one. */
export function dayOf(text: string | null): string {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(millisOf(text)) ? text : "";
}
