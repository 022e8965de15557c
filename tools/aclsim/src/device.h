// Streams, events, tasks and captured graphs: one lock for their state, one thread for each stream that has work.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "memory.h"
#include "rules.h"

namespace aclsim {

enum class Kind { aicore, aicpu, copy, set, host, record, wait, reset, replay, update };

const char *word_of(Kind kind);

// Why a stream stopped: the code its synchronisation answers, and the task that failed.
struct Failure {
  int32_t code = 0;
  std::string text;
};

struct Event;
struct Model;

struct Task {
  std::string name;
  Kind kind;
  std::vector<Range> ranges{};
  // Does the work; answers "" or why it could not. Called without the lock.
  std::function<std::string()> work{};
  Event *event = nullptr;    // of record, wait and reset
  uint64_t ticket = 0;       // of wait: the record that is waited for
  std::shared_ptr<Model> model{};  // of replay
};

// Tasks launched between update begin and end replace those of a group, in order.
struct Group {
  Model *model;
  std::vector<size_t> nodes;
};

struct Update {
  std::shared_ptr<Group> group;
  std::shared_ptr<Model> model;
  std::vector<Task> tasks;
};

struct Stream {
  int id;
  bool is_default = false;
  std::deque<Task> queue{};
  bool busy = false;
  bool closing = false;
  Failure failure{};
  std::shared_ptr<Model> capture{};
  std::unique_ptr<Update> update{};
  std::thread worker{};
};

struct Event {
  bool external = false;
  uint64_t issued = 0, completed = 0;
  Failure failure;
  std::chrono::steady_clock::time_point time;
  std::shared_ptr<Model> capture;  // the capture it was last recorded in
  size_t node = 0;
  bool set = false;  // of an external event: recorded and not reset
};

struct Node {
  Task task;
  size_t stream;              // index into the model's streams
  std::vector<size_t> after;  // nodes that come first
  bool grouped = false;
};

enum class State { active, invalidated, complete };

struct Model {
  uint32_t id;
  State state = State::active;
  std::string reason;  // why it was invalidated
  int mode;            // aclmdlRICaptureMode
  std::thread::id thread;
  Stream *origin;
  std::vector<Stream *> streams;     // the origin first; only valid while in capture
  std::vector<int> stream_ids;
  std::map<size_t, size_t> tail;     // stream -> its last node
  std::vector<Node> nodes;
  std::map<Stream *, std::shared_ptr<Group>> open;
  std::set<std::shared_ptr<Group>> groups;
  size_t budget = 0;                 // device streams it holds
  uint64_t replays = 0, updates = 0, moved_outputs = 0;
  std::mutex running;                // one replay or update at a time
};

struct Device {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::map<Model *, std::shared_ptr<Model>> models;
  std::map<Group *, std::shared_ptr<Group>> groups;
  std::set<Model *> capturing;
  Stream *fallback = nullptr;  // the default stream
  size_t budget = 0;           // device streams of graphs
  int stream_ids = 0;
  uint32_t model_ids = 0;
  std::map<std::string, uint64_t> launched;  // tasks that ran, by name
  bool closed = false;
};

Device &device();
using Lock = std::unique_lock<std::mutex>;

// The stream of a handle (null: the default stream); nullptr when it does not exist. Under the lock.
Stream *stream_of(void *handle);

// Gives a task to a stream: to run, to be captured, or to replace a captured one. Takes the lock.
int32_t launch(void *stream, Task task);
int32_t launch_locked(Stream *stream, Task task);

// Waits until a stream has run everything; answers its failure. Holds the lock, releases it while it waits.
int32_t drain(Lock &lock, Stream *stream);

// Runs one task on the calling thread: checks what it touches, works, waits for events.
Failure run(Lock &lock, const Task &task);
Failure run_wait(Lock &lock, const Task &task);

// capture.cpp
int32_t capture_task(Stream *stream, Task task);
int32_t refuse_capture(Model *model, Rule rule, const std::string &what);
int32_t fork_into(Stream *stream, Event *event);
// The mode this thread exchanged for the capture's own; -1 without one.
extern thread_local int exchanged_mode;
// 0, or a refusal of an unsafe function on this thread. Under the lock.
int32_t check_unsafe(const char *function);
// groups.cpp
int32_t collect_update(Stream *stream, Task task);
// replay.cpp
Failure replay(Lock &lock, Model &model);
// trace.cpp
std::string trace_of(const Model &model);

}  // namespace aclsim
