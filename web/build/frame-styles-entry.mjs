// Runs in Node.js, see frame-styles.mjs: renders the components of the frame and of the list of jobs.
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
import { createCache, extractStyle, StyleProvider } from "@ant-design/cssinjs";
import { Alert, App, Button, ConfigProvider, Dropdown, Empty, Layout, Menu, Pagination, Segmented, Select, Spin } from "antd";
import Input from "antd/es/input/Input";
import { themeFor } from "../src/app/theme";

const items = [{ key: "a", label: "a" }];

function Frame() {
  return h(
    Layout,
    null,
    h(Layout.Header, null, h(Dropdown, { menu: { items } }, h(Button, { type: "text" }))),
    h(
      Layout,
      { hasSider: true },
      h(Layout.Sider, { collapsible: true, theme: "light" }, h(Menu, { mode: "inline", items })),
      h(
        Layout.Content,
        null,
        h(Alert, { type: "warning", banner: true, showIcon: true, message: "a" }),
        h(Segmented, { options: ["a"] }),
        h(Input, { type: "search" }),
        h(Select, { mode: "multiple", maxTagCount: "responsive" }),
        h(Select, { mode: "tags" }),
        h(Select, { options: [{ value: 0, label: "a" }], value: 0 }),
        h(Pagination, { total: 100, showSizeChanger: true, size: "small" }),
        h(Empty, { image: Empty.PRESENTED_IMAGE_SIMPLE }),
        h(Spin),
      ),
    ),
  );
}

/** Returns the styles that rendering generates in one theme. */
export function stylesOf(dark) {
  const cache = createCache();
  const themed = h(ConfigProvider, { theme: themeFor(dark), button: { autoInsertSpace: false } }, h(App, null, h(Frame)));
  renderToString(h(StyleProvider, { cache }, themed));
  return extractStyle(cache, { plain: true, types: "style" });
}
