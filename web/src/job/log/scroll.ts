/** Browsers draw no element that is higher than this; above it, a pixel stands for more than one. */
const HIGHEST = 8_000_000;
export const ROW = 18;

/** Between where a list is scrolled to and the line at its top. */
export class Scale {
  readonly height: number;
  private readonly view: number;
  private readonly whole: number;

  constructor(lines: number, view: number) {
    this.view = view;
    this.whole = Math.max(view, lines * ROW);
    this.height = Math.min(HIGHEST, this.whole);
  }

  /** Whether scrolling by a pixel would move by more than that. */
  get isShrunk(): boolean {
    return this.whole > this.height;
  }

  /** Pixels of the whole list above the view, when the element is scrolled so far. */
  pixels(scrollTop: number): number {
    const most = this.height - this.view;
    return most <= 0 ? 0 : (Math.min(scrollTop, most) / most) * (this.whole - this.view);
  }

  scrollTop(pixels: number): number {
    const most = this.whole - this.view;
    return most <= 0 ? 0 : (Math.min(Math.max(0, pixels), most) / most) * (this.height - this.view);
  }

  get bottom(): number {
    return Math.max(0, this.whole - this.view);
  }
}
