import { Tabs } from "antd";
import { useLocation, useRoute } from "wouter";
import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { PasswordCard } from "./PasswordCard";
import { ProfileCard } from "./ProfileCard";
import { Requests } from "./Requests";
import { SshKeys } from "./SshKeys";
import { accountTexts } from "./texts";
import { Tokens } from "./Tokens";

export default function AccountPage() {
  const t = useTexts(accountTexts);
  const [, match] = useRoute("/account/:tab");
  const [, navigate] = useLocation();
  return (
    <>
      <PageHead title={t.title} />
      <Tabs
        activeKey={match?.tab ?? "profile"}
        onChange={(tab) => navigate(`/account/${tab}`)}
        destroyOnHidden
        items={[
          { key: "profile", label: t.profile, children: <ProfileCard /> },
          { key: "password", label: t.security, children: <PasswordCard /> },
          { key: "ssh-keys", label: t.keys, children: <SshKeys /> },
          { key: "tokens", label: t.tokens, children: <Tokens /> },
          { key: "requests", label: t.requests, children: <Requests /> },
        ]}
      />
    </>
  );
}
