import { QRCode } from "antd";

/** A QR code, black on white in every theme, so that phones can read it. */
export default function QrCode(props: { text: string; label: string }) {
  return (
    <QRCode
      type="svg"
      value={props.text}
      size={96}
      color="#000"
      bgColor="#fff"
      bordered={false}
      aria-label={props.label}
    />
  );
}
