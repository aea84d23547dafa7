import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { blocks, type Block } from "./blocks";

/** Renders the subset of Markdown that the help pages use as React elements; no HTML is created from strings. */
export function Markdown(props: { text: string }) {
  return blocks(props.text).map((block, i) => <Part key={i} block={block} />);
}

function Part(props: { block: Block }) {
  const { block } = props;
  switch (block.kind) {
    case "heading":
      return block.level <= 2 ? <h2 id={block.id}>{inline(block.text)}</h2> : <h3 id={block.id}>{inline(block.text)}</h3>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "list": {
      const items = block.items.map((item, i) => <li key={i}>{inline(item)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div className="help-table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, i) => (
                  <th key={i} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "paragraph":
      return <p>{inline(block.text)}</p>;
  }
}

/** Renders `code`, **strong** and [links](/somewhere). */
function inline(text: string): ReactNode {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/);
  return parts.map((part, i) => {
    if (part.startsWith("`")) {
      return <code key={i}>{part.slice(1, -1)}</code>;
    }
    if (part.startsWith("**")) {
      return <strong key={i}>{part.slice(2, -2)}</strong>;
    }
    const link = /^\[([^\]]+)\]\((\/[^)]*)\)$/.exec(part);
    return link ? (
      <Link key={i} href={link[2]!}>
        {link[1]}
      </Link>
    ) : (
      <Fragment key={i}>{part}</Fragment>
    );
  });
}
