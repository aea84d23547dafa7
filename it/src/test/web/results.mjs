/**
 * Prints the results of the flows. With RESULTS=json, each result is also printed as a line with RESULT and a JSON object. The
 * first such line is the plan with all test cases; the last line says that the program has finished normally.
 */
export class Results {
  failed = 0;

  /** @param cases the test cases with their files, and whether this run skips them */
  plan(cases) {
    this.line({ planned: cases });
  }

  passed(name, milliseconds) {
    console.log(`ok      ${name} (${milliseconds} ms)`);
    this.line({ name, outcome: "passed" });
  }

  /** @param shown the text and the screenshot of the page; undefined if there was no page */
  fails(name, milliseconds, error, shown) {
    this.failed++;
    const message = error?.stack ?? String(error);
    console.log(`FAILED  ${name} (${milliseconds} ms): ${message}\n${shown?.text ?? ""}`);
    this.line({ name, outcome: "failed", message, screenshot: shown?.screenshot, page: shown?.text });
  }

  /** Reports a flow that was not run because the host does not meet one of its requirements. */
  lacks(name, { what, word, required }) {
    if (required) this.failed++;
    console.log(`${required ? "FAILED " : "skipped"} ${name}: no ${what}`);
    this.line({ name, outcome: "lacks", requirement: word, message: `no ${what}` });
  }

  end() {
    console.log(this.failed === 0 ? "all went well" : `${this.failed} failed`);
    this.line({ ended: true });
  }

  line(value) {
    if (process.env.RESULTS === "json") console.log(`RESULT ${JSON.stringify(value)}`);
  }
}
