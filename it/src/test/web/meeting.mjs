/** Lets the runs of a flow in its languages wait for each other before a step that changes the server for all of them. */
export class Meeting {
  constructor(languages) {
    this.present = new Set(languages);
    this.waiting = new Map();
  }

  /**
   * Waits for the other languages, then runs the action of one language with the values of all languages, and returns its result
   * to each of them.
   */
  arrive(language, action, value) {
    return new Promise((resolve, reject) => {
      this.waiting.set(language, { action, value, resolve, reject });
      this.begin();
    });
  }

  /** Removes a language that has finished or failed, so that the other languages do not wait for it. */
  leave(language) {
    this.present.delete(language);
    this.begin();
  }

  begin() {
    if (this.waiting.size === 0 || this.waiting.size < this.present.size) return;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    (async () => all[0].action(all.map(({ value }) => value)))().then(
      (result) => all.forEach(({ resolve }) => resolve(result)),
      (error) => all.forEach(({ reject }) => reject(error)),
    );
  }
}
