export function EndpointName({ name }: { readonly name: string }) {
  return (
    <span title={name} className="font-mono text-code">
      {name}
    </span>
  );
}
