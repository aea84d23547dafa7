const units = ["MiB", "GiB", "TiB"];

/** Returns a size like the command line does: "512 MiB", "31.4 GiB", "1.5 TiB"; below 1 MiB in KiB. */
export function sizeText(megabytes: number, format: (value: number) => string): string {
  if (megabytes > 0 && megabytes < 1) {
    return `${format(megabytes * 1024)} KiB`;
  }
  const unit = megabytes >= 1024 * 1024 ? 2 : megabytes >= 1024 ? 1 : 0;
  return `${format(megabytes / 1024 ** unit)} ${units[unit]}`;
}

/** Returns a size exactly as the server writes it in messages, without separators of thousands. */
export function plainSize(megabytes: number): string {
  return sizeText(megabytes, (value) => value.toFixed(1).replace(/\.0$/, ""));
}
