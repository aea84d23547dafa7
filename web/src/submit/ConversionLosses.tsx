import { useTexts } from "../i18n/language";
import type { Losses } from "./document/convert";
import { submitTexts } from "./texts";

const MOST = 20;

/** Shows the differences before the user confirms a conversion. */
export function ConversionLosses({ losses }: { losses: Losses }) {
  const t = useTexts(submitTexts);
  // A set, because ports of several roles may have the same label and would cause equal sentences.
  const sentences = new Set([
    ...losses.dropped.slice(0, MOST).map((path) => t.convertDropped(path)),
    ...losses.renamed.slice(0, MOST).map(([before, after]) => t.convertRenamed(before, after)),
    ...losses.anyPort.slice(0, MOST).map((label) => t.convertPort(label)),
    ...losses.template.slice(0, MOST).map((role) => t.convertTemplate(role)),
    ...(losses.always ? [t.convertAlways] : []),
    ...(losses.output ? [t.convertOutput] : []),
  ]);
  return (
    <ul className="breaking submit-losses">
      {[...sentences].map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
