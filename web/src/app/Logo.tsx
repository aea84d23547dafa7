export function Logo(props: { size?: number }) {
  const size = props.size ?? 24;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#1668dc" />
      <path d="M7 22h18M7 10h18M12 10v12M20 10v12" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" fill="none" />
      <circle cx="12" cy="16" r="2.6" fill="#fff" />
    </svg>
  );
}
