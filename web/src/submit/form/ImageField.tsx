import { lazy, Suspense, useRef, useState } from "react";
import { Button, Input, Select, type InputRef } from "antd";
import { useLanguage, useTexts } from "../../i18n/language";
import { localized } from "../../images/localized";
import type { RoleShape } from "../document/shape";
import { useCatalog, useLocalImages, useNodes } from "../form-options";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";
import { Field } from "./Field";

const RegistryBrowser = lazy(() => import("./RegistryBrowser"));
const CUSTOM = "\0custom";

/** Selects an image of the catalog, of the node or of a registry, or any other image by name. */
export function ImageField(props: { role: RoleShape }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { root, change } = useJobForm();
  const { role } = props;
  const catalogue = useCatalog();
  const local = useLocalImages();
  const unused = useNodes().data?.engine === "process";
  const [custom, setCustom] = useState(false);
  const [browsing, setBrowsing] = useState(false);
  const byName = useRef<InputRef>(null);
  const image = role.readImage(root);
  const names = (catalogue.data ?? []).map((one) => one.name);
  const onNode = (local.data ?? []).filter((one) => !names.includes(one));
  const known = names.includes(image) || onNode.includes(image);
  const byHand = custom || (image !== "" && !known);
  const setImage = (next: string) => change((document) => role.writeImage(document, next), role.image);
  const choose = (value: string) => {
    setCustom(value === CUSTOM);
    if (value !== CUSTOM) {
      setImage(value);
    }
  };
  const focusCustom = (value: string) => {
    if (value === CUSTOM) {
      // Deferred because the option list takes the focus back shortly after a click.
      setTimeout(() => byName.current?.focus());
    }
  };
  const options = [
    ...(names.length > 0
      ? [{
          label: t.catalogue,
          options: (catalogue.data ?? []).map((one) => localized(one, language)).map((one) => ({
            value: one.name,
            label: one.description ? `${one.name} — ${one.description}` : one.name,
          })),
        }]
      : []),
    ...(onNode.length > 0 ? [{ label: t.onNode, options: onNode.map((one) => ({ value: one, label: one })) }] : []),
    { value: CUSTOM, label: t.custom },
  ];
  return (
    <Field label={t.image} path={role.image} required={!unused} hint={unused ? t.imageUnused : role.imageOfAll ? t.imageHint : t.imageOfRoleHint}>
      {(control) => (
        <div className="image-field">
          <Select
            {...control}
            {...(byHand ? { id: `${control.id}-choice` } : {})}
            aria-label={t.image}
            showSearch
            optionFilterProp="label"
            placeholder={t.imagePlaceholder}
            value={byHand ? CUSTOM : image || undefined}
            options={options}
            onChange={choose}
            onSelect={focusCustom}
            popupMatchSelectWidth={false}
          />
          {byHand && (
            <Input
              {...control}
              aria-label={t.imageName}
              placeholder={t.imageName}
              value={image}
              ref={byName}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setImage(target.value)}
            />
          )}
          <Button onClick={() => setBrowsing(true)}>{t.registry}</Button>
          {browsing && (
            <Suspense>
              <RegistryBrowser
                close={() => setBrowsing(false)}
                chosen={(reference) => {
                  setCustom(false);
                  setImage(reference);
                }}
              />
            </Suspense>
          )}
        </div>
      )}
    </Field>
  );
}
