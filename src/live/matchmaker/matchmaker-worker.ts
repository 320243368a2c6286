// Handles one request at a time, in order of arrival.

import { handleRequests } from "#base/threads/thread.ts";

import type { Competitions } from "./competition.ts";
import { handleMatchmakerRequest } from "./matchmaker-requests.ts";
import type { MatchmakerRequest } from "./matchmaker-requests.ts";

const competitions: Competitions = new Map();

handleRequests((request) => handleMatchmakerRequest(competitions, request as MatchmakerRequest));
