/** Maximum height of an element in browsers; in a higher list, one scrolled pixel represents several. */
const HIGHEST = 8_000_000;
export const ROW = 18;

/** Converts between the scroll position of a list and the line at its top. */
export class Scale {
  readonly height: number;
  private readonly view: number;
  private readonly whole: number;

  constructor(lines: number, view: number) {
    this.view = view;
    this.whole = Math.max(view, lines * ROW);
    this.height = Math.min(HIGHEST, this.whole);
  }

  /** Whether one scrolled pixel represents more than one pixel of the list. */
  get isShrunk(): boolean {
    return this.whole > this.height;
  }

  /** Returns the number of pixels of the whole list above the view for a scroll position. */
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
