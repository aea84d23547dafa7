import { cloneElement, isValidElement, useMemo, type AriaAttributes } from "react";
import type { PaginationProps } from "antd";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

/** Value for `pagination` of every table: labels the arrows, and hides the page numbers if there is only one page. */
export function usePaging(): PaginationProps {
  const t = useTexts(frameTexts);
  return useMemo(
    () => ({
      size: "small",
      hideOnSinglePage: true,
      defaultPageSize: 20,
      pageSizeOptions: [20, 50, 100, 200],
      itemRender: (_, kind, original) => {
        const names: Partial<Record<typeof kind, string>> = {
          prev: t.previousPage,
          next: t.nextPage,
          "jump-prev": t.pagesBack,
          "jump-next": t.pagesForward,
        };
        const name = names[kind];
        return name && isValidElement<AriaAttributes>(original) ? cloneElement(original, { "aria-label": name }) : original;
      },
    }),
    [t],
  );
}
