import { openFile, type ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleAlert, FileUp, Lock } from "lucide-react";
import { useId, useState } from "react";
import { configQuery } from "#api/query-client.ts";
import { bytesMeasure, measureText } from "#format/measure.ts";
import { capitalized, profileTypeName } from "#format/names.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { PublicFrame } from "#layout/public-frame.tsx";
import { areTakeable, pickFiles } from "#open-files/chosen-files.ts";
import { FileList, FileRows, fileKey, type ListedFile } from "#open-files/file-rows.tsx";
import { keptText } from "#open-files/kept-text.ts";
import { sendFile } from "#open-files/send-file.ts";
import { useDraggedFiles } from "#open-files/use-dragged-files.ts";
import { contentText, sentName, useOpening } from "#open-files/use-opening.ts";
import { useIsSignedIn } from "#session/session.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { cx } from "#ui/cx.ts";
import { storagePrefix } from "#url/base-path.ts";

type OpenedFile = ReplyOf<typeof openFile>;
type OpenedGraph = OpenedFile["graphs"][number];

/** Opens profile files without an account, where the operator allows it. */
export function OpenPage() {
  usePageTitle("Open a profile");
  const { data: config, error, refetch } = useQuery(configQuery);
  return (
    <PublicFrame>
      <div className="mx-auto max-w-2xl pt-4 sm:pt-12">
        <h1 className="font-semibold text-page tracking-tight">Open a profile</h1>
        <p className="mb-5 text-muted">See its flame graph in the browser. No account needed.</p>
        {error !== null && config === undefined ? (
          <Unreachable message={error.message} onRetry={() => void refetch()} />
        ) : config === undefined ? (
          <Skeleton className="h-72 w-full" />
        ) : config.open_files === null ? (
          <NotAllowed />
        ) : (
          <Opening sizeBytesMax={config.open_files.size_bytes_max} />
        )}
      </div>
    </PublicFrame>
  );
}

interface UnreachableProps {
  readonly message: string;
  readonly onRetry: () => void;
}

function Unreachable({ message, onRetry }: UnreachableProps) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <Message
        icon={CircleAlert}
        tone="critical"
        title="The server does not answer"
        actions={<Button onClick={onRetry}>Try Again</Button>}
      >
        <p>{message}</p>
      </Message>
    </div>
  );
}

function NotAllowed() {
  const isSignedIn = useIsSignedIn();
  return (
    <div className="rounded-card border border-line bg-surface">
      <Message
        icon={Lock}
        title="This server opens files for its members only"
        actions={
          <Link to={isSignedIn ? "/dashboard" : "/login"} className={buttonClass("primary")}>
            {isSignedIn ? "Go to Dashboard" : "Sign In"}
          </Link>
        }
      >
        <p>
          {isSignedIn
            ? "Drop the file on any page of your organization."
            : "Sign in, then drop the file on any page."}
        </p>
      </Message>
    </div>
  );
}

function Opening({ sizeBytesMax }: { readonly sizeBytesMax: number }) {
  const navigate = useNavigate();
  const { open, stateOf } = useOpening<OpenedFile>();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [kept, setKept] = useState(readKept);
  const isBusy = files.some((file) => ["waiting", "sending", "delayed"].includes(stateOf(file).is));
  const isDragged = useDraggedFiles(!isBusy, (dropped) => void take(dropped));
  const sizeText = measureText(bytesMeasure(sizeBytesMax));

  async function take(chosen: readonly File[]) {
    if (!areTakeable(chosen)) return;
    setFiles(chosen);
    const [result] = await open(chosen, async (file, sending) => {
      if (file.size > sizeBytesMax) throw new Error(`Larger than ${sizeText}.`);
      const reply = await sendFile(openFile, file, { ...sending, query: { file: sentName(file) } });
      setKept(keep(file, reply));
      return reply;
    });
    if (chosen.length !== 1 || result?.is !== "opened") return;
    const [graph, ...others] = result.reply.graphs;
    if (graph !== undefined && others.length === 0)
      void navigate({ to: "/shared/$token", params: { token: tokenOf(graph) } });
  }

  return (
    <div className="flex flex-col gap-4">
      <DropZone
        isDragged={isDragged}
        isBusy={isBusy}
        sizeText={sizeText}
        onChosen={(chosen) => void take(chosen)}
      />
      {files.length > 0 && <FileList files={files} stateOf={stateOf} opened={openedParts} />}
      {files.some(({ size }) => size > sizeBytesMax) && (
        <p>
          <Link to="/login" className="text-accent-text underline">
            Sign in
          </Link>{" "}
          to open larger files.
        </p>
      )}
      <KeptFiles kept={kept} chosen={files} />
      <p className="text-label text-muted">
        Anyone with a file's link can see its profile. Links cannot be guessed, and only this tab lists them:
        copy those that you need later. Files are kept for a day, then deleted.
      </p>
    </div>
  );
}

interface DropZoneProps {
  readonly isDragged: boolean;
  readonly isBusy: boolean;
  /** The largest size of a file. */
  readonly sizeText: string;
  readonly onChosen: (files: readonly File[]) => void;
}

function DropZone({ isDragged, isBusy, sizeText, onChosen }: DropZoneProps) {
  return (
    <div
      className={cx(
        "flex flex-col items-center gap-2 rounded-card border-2 border-dashed bg-surface px-6 py-12 text-center",
        isDragged ? "border-accent" : "border-line",
      )}
    >
      <FileUp aria-hidden className="size-6 text-accent-text" strokeWidth={1.75} />
      <p className="font-semibold text-card">{isDragged ? "Drop to open" : "Drop profiles here"}</p>
      <p className="max-w-md text-balance text-muted">
        pprof, JFR, collapsed stacks, perf script, speedscope, Chrome and Firefox profiles and more, up to{" "}
        {sizeText} each.
      </p>
      <Button variant="primary" className="mt-3" disabled={isBusy} onClick={() => pickFiles(onChosen)}>
        {isBusy ? "Opening..." : "Choose Files"}
      </Button>
    </div>
  );
}

interface KeptFile extends ListedFile {
  readonly reply: OpenedFile;
}

const keptKey = `${storagePrefix}.opened_files`;

/** The files that this tab opened and whose links still work. Other tabs do not list them: several people may share a browser. */
function readKept(): readonly KeptFile[] {
  const all = JSON.parse(sessionStorage.getItem(keptKey) ?? "[]") as readonly KeptFile[];
  return all.filter(({ reply }) => Date.parse(reply.expires_at) > Date.now());
}

function keep({ name, size, lastModified }: File, reply: OpenedFile): readonly KeptFile[] {
  const file = { name, size, lastModified, reply };
  const kept = [...readKept().filter((other) => fileKey(other) !== fileKey(file)), file];
  sessionStorage.setItem(keptKey, JSON.stringify(kept));
  return kept;
}

interface KeptFilesProps {
  readonly kept: readonly KeptFile[];
  /** Files that are listed already. */
  readonly chosen: readonly File[];
}

function KeptFiles({ kept, chosen }: KeptFilesProps) {
  const headingId = useId();
  const listed = new Set(chosen.map(fileKey));
  const before = kept.filter((file) => !listed.has(fileKey(file)));
  return (
    <>
      {before.length > 0 && (
        <section aria-labelledby={headingId} className="flex flex-col gap-2">
          <h2 id={headingId} className="font-semibold text-card">
            Opened before in this tab
          </h2>
          <FileRows files={before} stateOf={({ reply }) => ({ is: "opened", reply })} opened={openedParts} />
        </section>
      )}
      {kept.length > 1 && (
        <CopyButton
          hasText
          variant="secondary"
          text={kept.flatMap(({ reply }) => reply.graphs.map(({ url }) => url)).join("\n")}
          label="Copy all links"
        />
      )}
    </>
  );
}

function openedParts(name: string, reply: OpenedFile) {
  const { graphs, recognized_as: format, sample_count: samples, expires_at: expiresAt } = reply;
  const content = contentText(
    format,
    graphs.map(({ type }) => type),
    samples,
  );
  return {
    name: <span className="min-w-0 flex-1 truncate font-medium">{name}</span>,
    details: [
      content,
      <span key="graphs" className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {graphs.map((graph) => (
          <GraphLink key={graph.url} graph={graph} isOnly={graphs.length === 1} />
        ))}
      </span>,
      keptText(expiresAt),
    ],
  };
}

interface GraphLinkProps {
  readonly graph: OpenedGraph;
  readonly isOnly: boolean;
}

function GraphLink({ graph, isOnly }: GraphLinkProps) {
  const name = isOnly ? "Flame graph" : `${capitalized(profileTypeName(graph.type))} flame graph`;
  return (
    <span className="flex items-center gap-1">
      <Link
        to="/shared/$token"
        params={{ token: tokenOf(graph) }}
        // The way back from the flame graph would lead to an empty list.
        target="_blank"
        rel="noopener"
        className="rounded-badge font-medium text-accent-text hover:underline"
      >
        {name}
      </Link>
      <CopyButton text={graph.url} label={`Copy the link: ${name}`} />
    </span>
  );
}

function tokenOf({ url }: OpenedGraph): string {
  return url.slice(url.lastIndexOf("/") + 1);
}
