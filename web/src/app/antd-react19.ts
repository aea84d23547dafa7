import { unstableSetRender } from "antd/es/config-provider/UnstableContext";
import { createRoot, type Root } from "react-dom/client";

const roots = new WeakMap<Element | DocumentFragment, Root>();

/*
 * Ant Design 5 renders a few elements outside of the page, such as the ripple of a button, with an API
 * that React 19 has removed, and warns about it. This code does the same as the official patch
 * (@ant-design/v5-patch-for-react-19), which would load all components.
 */
unstableSetRender((node, container) => {
  const root = roots.get(container) ?? createRoot(container);
  roots.set(container, root);
  root.render(node);
  return () =>
    new Promise<void>((done) => {
      // Unmounting is not allowed while React is rendering.
      setTimeout(() => {
        root.unmount();
        roots.delete(container);
        done();
      }, 0);
    });
});
