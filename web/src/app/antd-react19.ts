import { unstableSetRender } from "antd/es/config-provider/UnstableContext";
import { createRoot, type Root } from "react-dom/client";

const roots = new WeakMap<Element | DocumentFragment, Root>();

/*
 * Ant Design 5 draws a few things beside the page, such as the ripple of a button, with what React 19
 * no longer has, and warns of it. This is what its makers' patch does; theirs would load all components.
 */
unstableSetRender((node, container) => {
  const root = roots.get(container) ?? createRoot(container);
  roots.set(container, root);
  root.render(node);
  return () =>
    new Promise<void>((done) => {
      // Not while React is drawing.
      setTimeout(() => {
        root.unmount();
        roots.delete(container);
        done();
      }, 0);
    });
});
