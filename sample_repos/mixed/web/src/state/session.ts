import { api } from "../api/client";

const KEY = "fieldnotes.token";

export const session = {
  token: () => localStorage.getItem(KEY) ?? "",
  signOut: () => localStorage.removeItem(KEY),
  async renew(): Promise<void> {
    const { token } = await api.renew();
    localStorage.setItem(KEY, token);
  },
};
