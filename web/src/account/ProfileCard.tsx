import { App, Button, Descriptions, Form, Input, Select, Skeleton, Tag } from "antd";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { profileKey, useProfile, type Profile } from "./profile";
import { accountTexts } from "./texts";

type Editable = Pick<Profile, "email" | "displayName" | "language">;

export function ProfileCard() {
  const t = useTexts(accountTexts);
  const { message } = App.useApp();
  const client = useQueryClient();
  const profile = useProfile();
  const save = useMutation({
    mutationFn: (given: Editable) => api.patch<"changeUser">("/users/me", given),
    onSuccess: () => {
      message.success(t.saved);
      return client.invalidateQueries({ queryKey: profileKey });
    },
  });
  if (!profile.data) {
    return profile.error ? <ErrorAlert error={profile.error} /> : <Skeleton active />;
  }
  const { name, email, displayName, language } = profile.data;
  return (
    <div className="narrow">
      <Membership name={name} />
      {save.error && <ErrorAlert error={save.error} />}
      <Form<Editable>
        layout="vertical"
        initialValues={{ email, displayName, language }}
        onFinish={(given) => save.mutate(given)}
      >
        <Form.Item name="displayName" label={t.displayName}>
          <Input autoComplete="name" maxLength={255} />
        </Form.Item>
        <Form.Item name="email" label={t.email}>
          <Input type="email" autoComplete="email" maxLength={255} />
        </Form.Item>
        <Form.Item name="language" label={t.language}>
          <Select options={[{ value: "", label: t.languageNone }, ...languages]} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t.save}
        </Button>
      </Form>
    </div>
  );
}

/** Each language is listed under its own name. */
const languages = (["en", "zh"] as const).map((value) => ({
  value,
  label: new Intl.DisplayNames([value], { type: "language" }).of(value) ?? value,
}));

function Membership(props: { name: string }) {
  const t = useTexts(accountTexts);
  const { team } = useMe();
  const limits = useQuery({
    queryKey: ["limits"],
    queryFn: () => api.get<"showLimits">("/users/me/limits"),
  });
  const tags = (names: readonly string[] | undefined) => names?.map((name) => <Tag key={name}>{name}</Tag>);
  return (
    <Descriptions
      className="form-note"
      column={1}
      size="small"
      items={[
        { key: "name", label: t.userName, children: props.name },
        { key: "groups", label: t.groups, children: tags(limits.data?.groups) },
        { key: "clusters", label: t.clusters, children: tags(limits.data?.virtualClusters) },
        ...(team ? [{ key: "team", label: t.sharing, children: t.shares }] : []),
      ]}
    />
  );
}
