import { cloneElement, isValidElement, useMemo, type AriaAttributes } from "react";
import type { PaginationProps } from "antd";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

/** For `pagination` of every table: its arrows have names, and few rows have no pages. */
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
          "jump-next": t.pagesOn,
        };
        const name = names[kind];
        return name && isValidElement<AriaAttributes>(original) ? cloneElement(original, { "aria-label": name }) : original;
      },
    }),
    [t],
  );
}
