import { useCallback } from "react";
import type { Row } from "./row";

export function Table({ rows, dense = false }: { rows: Row[]; dense?: boolean }) {
  const onPick = useCallback((row: Row) => {
    if (row.locked) {
      throw new Error("locked");
    }
    row.pick();
  }, []);

  return (
    <table>
      {rows.map((row) => (
        <tr key={row.id} onClick={() => onPick(row)}>
          {row.title ? <b>{row.title}</b> : <i>{row.id}</i>}
          {dense && <td>{row.note}</td>}
        </tr>
      ))}
    </table>
  );
}
