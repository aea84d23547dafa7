import { lazy, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { useLanguage, useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

/** Loaded only if there is a QR code to draw. */
const QrCode = lazy(() => import("./QrCode"));

/** Contact information of the administrators, as plain text; renders nothing if none is set. */
export default function Contact() {
  const t = useTexts(componentTexts);
  const { language } = useLanguage();
  const { data } = useQuery({ queryKey: ["contact"], queryFn: () => api.get<"showContact">("/contact"), staleTime: 300_000 });
  if (!data) {
    return null;
  }
  const text = data.text[language] || data.text.en || data.text.zh;
  if (!text && !data.link && !data.email && !data.qrCode) {
    return null;
  }
  return (
    <section className="contact" aria-label={t.contact}>
      <div>
        {text && <div className="pre-line">{text}</div>}
        {data.link && (
          <a href={data.link} target="_blank" rel="noopener noreferrer">
            {data.link}
          </a>
        )}{" "}
        {data.email && <a href={`mailto:${data.email}`}>{data.email}</a>}
      </div>
      {data.qrCode && (
        <Suspense>
          <QrCode text={data.qrCode} label={t.qrCode} />
        </Suspense>
      )}
    </section>
  );
}
