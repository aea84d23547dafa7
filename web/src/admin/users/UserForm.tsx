import { Checkbox, Form, Input, Select, Skeleton, Switch } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useMe } from "../../app/session";
import { useTexts } from "../../i18n/language";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { LimitFields, limitPatch } from "../LimitFields";
import { adminTexts } from "../texts";
import type { Limits, User, UserLimits } from "../types";
import { LimitTable } from "./LimitTable";
import { userTexts } from "./texts";

/** Edits a user's account, groups and limits. Each part is sent only if it has changed. */
export function UserForm(props: { user: User | undefined; close: () => void }) {
  const name = props.user?.name ?? "";
  const query = useQuery({
    queryKey: ["users", name, "limits"],
    queryFn: () => api.get<"showLimits">(path`/users/${name}/limits`),
    enabled: name !== "",
    staleTime: 0,
  });
  if (!props.user) {
    return null;
  }
  if (query.error) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  return query.data ? <LoadedUserForm user={props.user} limits={query.data} close={props.close} /> : <Skeleton active />;
}

interface Values extends Pick<User, "displayName" | "email" | "language" | "admin" | "disabled"> {
  readonly groups: readonly string[];
  readonly limits: Limits;
}

function LoadedUserForm({ user, limits, close }: { user: User; limits: UserLimits; close: () => void }) {
  const t = useTexts(userTexts);
  const common = useTexts(adminTexts);
  const self = useMe().user === user.name;
  const { displayName, email, language, admin, disabled } = user;
  const initial: Values = { displayName, email, language, admin, disabled, groups: limits.groups, limits: limits.own };
  return (
    <FormDrawer<Values, void>
      title={t.editTitle(user.name)}
      open
      close={close}
      draft={`user.${user.name}`}
      initial={initial}
      submit={(values) => save(user.name, initial, values)}
      about={["users", "groups"]}
      successText={common.saved}
      width={560}
    >
      <Form.Item name="displayName" label={t.displayName}>
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item name="email" label={t.email}>
        <Input type="email" />
      </Form.Item>
      <Form.Item name="language" label={t.language}>
        <Select
          options={[
            { value: "", label: t.languages.any },
            { value: "en", label: t.languages.en },
            { value: "zh", label: t.languages.zh },
          ]}
        />
      </Form.Item>
      <GroupsField name="groups" label={common.groups} extra={t.groupsHint} />
      <Form.Item name="admin" valuePropName="checked" extra={t.adminHint}>
        <Checkbox>{t.admin}</Checkbox>
      </Form.Item>
      <Form.Item name="disabled" valuePropName="checked" label={t.disabled} extra={t.disabledHint}>
        <Switch disabled={self} />
      </Form.Item>
      <h3>{t.ownLimits}</h3>
      <LimitFields hint={common.limitsHint} />
      <LimitTable limits={limits} />
    </FormDrawer>
  );
}

async function save(name: string, before: Values, after: Values): Promise<void> {
  const keys = ["displayName", "email", "language", "admin", "disabled"] as const;
  const changed = Object.fromEntries(
    keys.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]),
  ) as Partial<Pick<Values, (typeof keys)[number]>>;
  if (Object.keys(changed).length > 0) {
    await api.patch<"changeUser">(path`/users/${name}`, changed);
  }
  const [old, now] = [limitPatch(before.limits), limitPatch(after.limits)];
  if (JSON.stringify(old) !== JSON.stringify(now)) {
    await api.patch<"changeLimits">(path`/users/${name}/limits`, now);
  }
  // Membership in the administrators' group is the same as the administrator flag above, which was already sent.
  const aside = (group: string) => before.admin !== after.admin && group === "admingroup";
  for (const group of after.groups.filter((one) => !before.groups.includes(one) && !aside(one))) {
    await api.put(path`/groups/${group}/members/${name}`);
  }
  for (const group of before.groups.filter((one) => !after.groups.includes(one) && !aside(one))) {
    await api.delete(path`/groups/${group}/members/${name}`);
  }
}
