import { useState } from "react";

interface Props {
  limit: number;
  onSave: (note: string) => void;
}

/** A few words that are printed on the parcel. */
export function GiftNote({ limit, onSave }: Props) {
  const [note, setNote] = useState("");
  const left = limit - note.length;

  return (
    <form onSubmit={() => onSave(note)}>
      <textarea value={note} onChange={(event) => setNote(event.target.value)} />
      <p>{left} letters left</p>
      <button disabled={left < 0}>Save</button>
    </form>
  );
}
