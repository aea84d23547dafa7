import { Drawer } from "antd";
import { useTexts } from "../i18n/language";
import { MainMenu } from "./menu";
import { frameTexts } from "./texts";

/** The menu in narrow windows. */
export default function MenuDrawer(props: { open: boolean; close: () => void }) {
  const t = useTexts(frameTexts);
  return (
    <Drawer placement="left" width={240} open={props.open} onClose={props.close} title={t.menu} styles={{ body: { padding: 0 } }}>
      <nav aria-label={t.menu}>
        <MainMenu chosen={props.close} />
      </nav>
    </Drawer>
  );
}
