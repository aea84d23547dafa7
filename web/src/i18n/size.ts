const units = ["MiB", "GiB", "TiB"];

/** Returns a size like the command line does: "512 MiB", "31.4 GiB", "1.5 TiB". */
export function sizeText(megabytes: number, format: (value: number) => string): string {
  const unit = megabytes >= 1024 * 1024 ? 2 : megabytes >= 1024 ? 1 : 0;
  return `${format(megabytes / 1024 ** unit)} ${units[unit]}`;
}

/** Returns a size of any number of bytes: "2 B", "1.5 KiB", "512 MiB". */
export function bytesText(bytes: number, format: (value: number) => string): string {
  if (bytes >= 1 << 20) {
    return sizeText(bytes / (1 << 20), format);
  }
  return bytes >= 1024 ? `${format(bytes / 1024)} KiB` : `${format(bytes)} B`;
}

/** Returns a size exactly as the server writes it in messages, without separators of thousands. */
export function plainSize(megabytes: number): string {
  return sizeText(megabytes, (value) => value.toFixed(1).replace(/\.0$/, ""));
}
