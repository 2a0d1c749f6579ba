# SPDX-License-Identifier: GPL-3.0-or-later
# cuda.mk - the GPU: the backend, and its kernels without one.
# make CUDA=1; nvcc from NVCC, /usr/local/cuda when it is not on the PATH
NVCC       ?= $(or $(shell command -v nvcc),/usr/local/cuda/bin/nvcc)
CUDA_HOME  ?= $(or $(patsubst %/bin/nvcc,%,$(realpath $(NVCC))),/usr/local/cuda)
# Machine code for these, as far as the toolkit has them (sm_80 serves 86, 87 and 89, sm_100 serves 103, sm_120 serves 121),
# and PTX of the first, which the driver compiles for a GPU that none of them serves.
cuda_known  = $(eval cuda_known := $(shell $(NVCC) --list-gpu-code 2>/dev/null))$(cuda_known)
CUDA_ARCH  ?= $(filter $(cuda_known),sm_80 sm_90 sm_100 sm_120)
cuda_ptx    = $(patsubst sm_%,compute_%,$(firstword $(CUDA_ARCH)))
cuda_files := $(filter-out cuda/check.c cuda/bench.c cuda/nccl.c,$(wildcard cuda/*.c cuda/*.cu))
nvcc_flags  = -std=c++17 -O3 -lineinfo -D_GNU_SOURCE -I. $(foreach a,$(CUDA_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$a) \
              -gencode arch=$(cuda_ptx),code=$(cuda_ptx) $(if $(WERROR),-Werror all-warnings) -Xcompiler -Wall,-Wextra,-Wno-unknown-pragmas,-fno-exceptions
libs_cuda   = -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 -lcudart_static -ldl -lstdc++
$B/cuda/%.o: c_flags += -isystem $(CUDA_HOME)/include
$B/%.cu.o: %.cu $(build_files)/cuda.mk
	@mkdir -p $(@D)
	@echo nvcc $<
	@$(NVCC) $(nvcc_flags) -Xptxas -v -MMD -MF $(@:.o=.d) -MT $@ -c $< -o $@ > $(@:.o=.log) 2>&1 || { cat $(@:.o=.log); exit 1; }
cuda_objects := $(patsubst %.c,$B/%.o,$(filter %.c,$(cuda_files))) $(patsubst %.cu,$B/%.cu.o,$(filter %.cu,$(cuda_files)))
$(filter-out $B/cuda/attn_cudnn.o,$(cuda_objects)): | toolkit
toolkit:                                          # one line instead of a header that is not found
	@$(NVCC) --version >/dev/null 2>&1 || { echo "CUDA 12.8 or later is not installed: $(NVCC) does not run; install it, or say NVCC=path" >&2; exit 1; }
	@[ -n '$(CUDA_ARCH)' ] || { echo "$(NVCC) compiles for none of the GPUs that can be used (sm_80 and later); install CUDA 12.8 or later" >&2; exit 1; }
ifdef NCCL                                        # with MPI=1 CUDA=1: gradients are summed on the GPUs
cuda_objects += $B/cuda/nccl.o
$B/cuda/nccl.o: c_flags += $(shell mpicc --showme:compile)
$B/gpu-check $B/gpu-bench: libs += $(shell mpicc --showme:link)
endif
ifdef CUDA
$B/provably: $(cuda_objects)
$B/provably: libs += $(libs_cuda)
endif
$B/gpu-check $B/gpu-bench: $B/gpu-%: $B/cuda/%.o $(cuda_objects) $(allocator) $B/flint.libs $B/flags.link src/provably.map | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call linked,$(filter %.o,$^)) $(libs) $(libs_cuda) -o $@
cuda-lint: $(cuda_objects)                                # registers and spills of every kernel, against cuda/kernels.txt
	@sh src/build/cuda_lint.sh $B/kernels.report cuda/kernels.txt $(patsubst %.o,%.log,$(filter %.cu.o,$(cuda_objects)))

# The same kernels without a GPU: as nvcc compiles them, run by an interpreter of PTX (tests/ptx), which $B/ptx/gpu-check is
# linked with.  Their files' host half and the backend are compiled without CUDA's headers: tests/mock has what they use.
interpreter  := $(patsubst %,$B/tests/ptx/%.o,parse lanes memory warp run)
ptx_host     := $(patsubst %,$B/ptx/%.o,$(filter %.cu,$(cuda_files)))
ptx_backend  := $(interpreter) $B/tests/ptx/device.o $(ptx_host) $(patsubst %,$B/mocked/cuda/%.o,attn backend gemm_key)
$B/mocked/%.o: %.c $(build_files)/compile.mk $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,cc $< without CUDA)
	@$(call whole,$(CC) -Itests/mock $(c_flags) $(CPPFLAGS) $(CFLAGS) -c $< -o $@)
$B/ptx/%.cu.o: %.cu $(build_files)/cuda.mk $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,c++ $< for an interpreter)
	@$(call whole,$(CXX) -x c++ -std=c++17 -fno-exceptions -fno-rtti -Itests/mock -include tests/ptx/launch.h -D_GNU_SOURCE -I. \
	  $(warn_host) -MMD -MP $(CPPFLAGS) $(CFLAGS) -O1 -c $< -o $@)     # -O1: no code of kernels, which nothing calls
$B/tests/ptx/device.o $B/tests/ptx/counts.o: c_flags += -Itests/mock
$B/ptx/gpu-check: $B/mocked/cuda/check.o $(ptx_backend)
$B/ptx/counts: $B/tests/ptx/counts.o $(ptx_backend)
attention_of := $(patsubst %,$B/tests/ptx/%.o,attention reference tensor)
$B/ptx/attention: $(attention_of) $(support) $(interpreter) $B/tests/ptx/device.o \
  $(filter %/attn_flash_fwd.cu.o %/attn_flash_bwd.cu.o,$(ptx_host))
$B/ptx/gpu-check $B/ptx/attention $B/ptx/counts: $(allocator) $B/flint.libs $B/flags.link src/provably.map | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o,$^)) $(libs_check) $(libs) -lstdc++ -o $@)
$B/ptx/kernels.ptx: $(wildcard cuda/*.cu cuda/*.h) src/train/formula.h src/train/ops.h tests/ptx/kernels.sh $(wildcard tests/ptx/*.xz)
	@mkdir -p $(@D)
	@$(call step,nvcc --ptx)
	@sh tests/ptx/kernels.sh $@ '$(NVCC)'
ptx: $B/ptx/kernels.ptx                          # recorded for machines without nvcc
	@sh tests/ptx/kernels.sh record $<
$B/tests/t_interpreter: $(interpreter)
$B/tests/t_ptx: $(interpreter) | $B/ptx/gpu-check $B/ptx/attention $B/ptx/counts $B/ptx/kernels.ptx
$B/tests/t_cuda: $(ptx_backend)
$B/tests/t_ptx $B/tests/t_interpreter $B/tests/t_cuda: libs += -lstdc++

# The host half of the backend on a GPU that is none: tests/mock.
mocked := $(patsubst %,$B/mocked/%.o,cuda/device cuda/gemm cuda/gemm_key cuda/attn tests/mock/cuda_mock)
$B/tests/t_cuda_host.o: c_flags += -Itests/mock
$B/tests/t_cuda_host: $(mocked)

# On a machine with a GPU.
SANITIZER ?= $(or $(shell command -v compute-sanitizer),$(wildcard $(CUDA_HOME)/bin/compute-sanitizer))
gpu-check: $B/gpu-check
	@sh src/build/gpu_check.sh $B '$(SANITIZER)'
bench-gpu: $B/gpu-bench
	@sh src/build/gpu_bench.sh $B
gpu-day: $B/gpu-check $B/gpu-bench $B/provably            # with CUDA=1
	@sh src/build/gpu_day.sh $B '$(SANITIZER)'

# ---- cuDNN's graphs, built and compiled without a GPU: the toolkit's stub stands for the driver
$B/tests/cudnn_check: $B/tests/cudnn_check.o $B/cuda/attn_cudnn.o $(allocator) $B/flint.libs $B/flags.link src/provably.map | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call linked,$(filter %.o,$^)) $(libs) -o $@
cudnn-check: $B/tests/cudnn_check
	@mkdir -p $B/stubs && ln -sf $(CUDA_HOME)/lib64/stubs/libcuda.so $B/stubs/libcuda.so.1
	@LD_LIBRARY_PATH=$B/stubs:$(CUDA_HOME)/lib64 $< || [ $$? -eq 77 ]
