import { AutoComplete, Form, Input, Select } from "antd";
import { api } from "../api/client";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { componentTexts } from "../components/texts";
import { imageTexts } from "./texts";
import type { CatalogImage } from "./types";

const blank = { name: "", reference: "", description: "", framework: "", tags: [] as readonly string[] };
const usual = ["PyTorch", "TensorFlow", "MindSpore", "PaddlePaddle", "JAX", "MXNet"];

/** Form for a new catalog entry (`?edit=+`) or an existing one (`?edit=NAME`); the server replaces an entry of the same name. */
export function CatalogForm(props: { images: readonly CatalogImage[] | undefined }) {
  const t = useTexts(imageTexts);
  const part = useTexts(componentTexts);
  const { admin } = useMe();
  const [edited, setEdited] = useSearchParam("edit");
  const before = props.images?.find((one) => one.name === edited);
  const isNew = edited === "+";
  const frameworks = [...new Set([...(props.images ?? []).map((one) => one.framework).filter(Boolean), ...usual])];
  const rules = [{ required: true, message: part.required }];
  return (
    <FormDrawer
      title={isNew ? (admin ? t.add : t.propose) : t.editTitle(edited)}
      open={isNew || before !== undefined}
      close={() => setEdited("")}
      draft={isNew ? "image" : `image.${edited}`}
      initial={before ? pick(before) : blank}
      submit={({ name, reference, description, framework, tags }) =>
        api.post<"addToCatalogue">("/images", { name: name.trim(), reference: reference.trim(), description, framework, tags })
      }
      submitText={admin ? part.save : t.propose}
      about={["images"]}
      successText={admin ? t.added : t.proposed}
    >
      <p className="quiet">{admin ? t.addHint : t.proposeHint}</p>
      <Form.Item name="name" label={t.name} extra={t.nameHint} rules={rules}>
        <Input disabled={!isNew} autoFocus={isNew} spellCheck={false} maxLength={128} />
      </Form.Item>
      <Form.Item name="reference" label={t.reference} extra={t.referenceHint} rules={rules}>
        <Input spellCheck={false} />
      </Form.Item>
      <Form.Item name="framework" label={t.framework}>
        <AutoComplete options={frameworks.map((value) => ({ value }))} filterOption maxLength={64} />
      </Form.Item>
      <Form.Item name="tags" label={t.tags} extra={t.tagsHint}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[",", " "]} />
      </Form.Item>
      <Form.Item name="description" label={t.description}>
        <Input.TextArea autoSize={{ minRows: 3 }} maxLength={2000} />
      </Form.Item>
    </FormDrawer>
  );
}

function pick({ name, reference, description, framework, tags }: CatalogImage) {
  return { name, reference, description, framework, tags };
}
