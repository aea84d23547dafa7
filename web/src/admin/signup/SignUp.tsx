import { Badge, Tabs } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import { useSearchParams } from "../../app/search-params";
import { useTexts } from "../../i18n/language";
import { Invitations } from "./Invitations";
import { PendingSignUps, usePending } from "./PendingSignUps";
import { SignUpSettings } from "./SignUpSettings";
import { signUpTexts } from "./texts";

export function useSignUpFacts() {
  return useQuery({ queryKey: ["signup", "settings"], queryFn: () => api.get<"showSignUpSettings">("/signup/settings") });
}

const tabs = ["codes", "pending", "settings"] as const;

export default function SignUp() {
  const t = useTexts(signUpTexts);
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "codes";
  const waiting = usePending().data?.pending.length ?? 0;
  const label = (key: (typeof tabs)[number]) =>
    key === "pending" && waiting > 0 ? (
      <span>
        {t.tabs.pending} <Badge count={waiting} size="small" />
      </span>
    ) : (
      t.tabs[key]
    );
  return (
    <>
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === "codes" ? {} : { tab: key })}
        items={tabs.map((key) => ({ key, label: label(key) }))}
      />
      {tab === "codes" && <Invitations />}
      {tab === "pending" && <PendingSignUps />}
      {tab === "settings" && <SignUpSettings />}
    </>
  );
}
